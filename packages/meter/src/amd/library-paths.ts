/** Versions of the interface that are known, newest first; the library is named after them. */
const AMDSMI_VERSIONS = [27, 26, 25, 24] as const

/** Where AMD SMI is looked for: the folders that the environment names, the loader's own places, `/opt/rocm/lib`. */
export function amdSmiPaths(env: NodeJS.ProcessEnv): readonly string[] {
  const rocm = env.ROCM_PATH === undefined ? undefined : `${env.ROCM_PATH}/lib`
  const folders = [env.AMDSMI_LIB_DIR, rocm, '', '/opt/rocm/lib'].filter(
    (folder) => folder !== undefined,
  )
  const names = [...AMDSMI_VERSIONS.map((version) => `libamd_smi.so.${version}`), 'libamd_smi.so']
  return folders.flatMap((folder) =>
    names.map((name) => (folder === '' ? name : `${folder}/${name}`)),
  )
}
