/** Where the NVML library of a platform is looked for, in this order. A bare name is left to the system's own search. */
export function nvmlLibraryPaths(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') {
    return [
      'nvml.dll',
      'C:\\Windows\\System32\\nvml.dll',
      'C:\\Program Files\\NVIDIA Corporation\\NVSMI\\nvml.dll',
    ]
  }
  return [
    'libnvidia-ml.so.1',
    // WSL: the library belongs to the Windows driver.
    '/usr/lib/wsl/lib/libnvidia-ml.so.1',
    '/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1',
    '/usr/lib/aarch64-linux-gnu/libnvidia-ml.so.1',
    '/usr/lib64/libnvidia-ml.so.1',
    // NixOS, then Google's container images.
    '/run/opengl-driver/lib/libnvidia-ml.so.1',
    '/usr/local/nvidia/lib64/libnvidia-ml.so.1',
  ]
}
