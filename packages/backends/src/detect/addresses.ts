/** Ports that the engines use when nobody tells them otherwise. */
export const usualPorts: readonly number[] = [
  11_434, // Ollama
  8080, // llama-server, mlx_lm.server, TGI in its container
  8000, // vLLM, transformers serve, TensorRT-LLM
  30_000, // SGLang
  1234, // LM Studio
  3000, // TGI
]

/** Where to look. */
export interface AddressOptions {
  /** Default: the usual ports of every engine that is known here. */
  readonly ports?: readonly number[]
  /** Default: this machine. */
  readonly hosts?: readonly string[]
  /** Value of `OLLAMA_HOST`; looked at beside the usual ports. Default: the environment variable. */
  readonly ollamaHost?: string | undefined
}

/** Base URLs to look at, each once. `OLLAMA_HOST` counts only where no ports and hosts are named. */
export function addressesOf({ ports, hosts, ollamaHost }: AddressOptions): readonly string[] {
  const named = (hosts ?? ['127.0.0.1']).flatMap((host) =>
    (ports ?? usualPorts).map((port) => `http://${bracketed(host)}:${port}`),
  )
  const isOpen = ports === undefined && hosts === undefined
  const ollama = isOpen ? ollamaAddress(ollamaHost ?? '') : undefined
  return [...new Set(ollama === undefined ? named : [ollama, ...named])]
}

/**
 * Reads `OLLAMA_HOST` as Ollama does: the port defaults to 11434, with a scheme to that of the scheme, and an address of
 * "every interface" is reached on this machine. Undefined for nothing and for what is no address.
 */
export function ollamaAddress(value: string): string | undefined {
  const text = value.trim()
  const hasScheme = /^https?:\/\//.test(text)
  const address = hasScheme ? text : `http://${withPort(text)}`
  if (text === '' || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (everyInterface.has(url.hostname)) url.hostname = '127.0.0.1'
  return url.origin
}

const everyInterface = new Set(['0.0.0.0', '[::]'])

function withPort(text: string): string {
  const host = text.replace(/\/.*$/, '')
  return /:\d+$/.test(host) && !isBareIpv6(host) ? host : `${bracketed(host)}:11434`
}

function bracketed(host: string): string {
  return isBareIpv6(host) ? `[${host}]` : host
}

function isBareIpv6(host: string): boolean {
  return host.split(':').length > 2 && !host.startsWith('[')
}
