import { basename, isAbsolute } from 'node:path'
import type { Backend } from '@energy-bench/spec'
import {
  type LaunchEngineOptions,
  type LaunchedEngine,
  type LaunchOptions,
  launchEngine,
} from './launch-engine.js'
import { findFreePort } from './port.js'

/** What all servers are launched with. */
export interface ServerLaunchOptions extends LaunchOptions {
  /** Default: a free one. */
  readonly port?: number
  /** Flags after all others, as the engine writes them. */
  readonly extraArgs?: readonly string[]
}

/** A server that was started here, with its backend. */
export interface LaunchedServer<Options> extends LaunchedEngine<Options> {
  /** What makes this start differ from others: its flags without address and model, files by their names. */
  readonly flags: readonly string[]
  /** The backend that speaks with it. */
  createBackend(): Backend
  restart(changes: Partial<Options>): Promise<LaunchedServer<Options>>
}

/** What is particular to one kind of server. */
export interface ServerCommand<Options> {
  readonly command: string
  readonly missingFix: string
  readonly env?: Readonly<Record<string, string>>
  /** Where the options name none. */
  readonly stopGraceS: number
  /** Before the address: the subcommand and the model. */
  readonly model: readonly string[]
  readonly flags: readonly string[]
  createBackend(baseUrl: string): Backend
  launch(options: Options): Promise<LaunchedServer<Options>>
}

/** Starts a server that takes `--host` and `--port` and says on `/health` that it is ready. */
export async function launchServer<Options extends ServerLaunchOptions>(
  options: Options,
  server: ServerCommand<Options>,
): Promise<LaunchedServer<Options>> {
  const port = options.port ?? (await findFreePort())
  const flags = [...server.flags, ...(options.extraArgs ?? [])]
  const engine = await launchEngine(engineOptions(options, { server, port, flags }))
  return {
    ...engine,
    flags: flags.map((flag) => (isAbsolute(flag) ? basename(flag) : flag)),
    createBackend: () => server.createBackend(engine.baseUrl),
    async restart(changes) {
      await engine.stop()
      return server.launch({ ...options, ...changes })
    },
  }
}

interface Address<Options> {
  readonly server: ServerCommand<Options>
  readonly port: number
  readonly flags: readonly string[]
}

function engineOptions<Options extends ServerLaunchOptions>(
  options: Options,
  { server, port, flags }: Address<Options>,
): LaunchEngineOptions {
  const { readyTimeoutS, signal, logPath, stopGraceS = server.stopGraceS } = options
  return {
    command: server.command,
    missingFix: server.missingFix,
    args: [...server.model, '--host', '127.0.0.1', '--port', String(port), ...flags],
    env: { ...server.env, ...options.env },
    stopGraceS,
    readyUrl: `http://127.0.0.1:${port}/health`,
    ...(readyTimeoutS === undefined ? {} : { readyTimeoutS }),
    ...(signal === undefined ? {} : { signal }),
    ...(logPath === undefined ? {} : { logPath }),
  }
}

/** A flag with its value; nothing where the value was left out. */
export function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [name, String(value)]
}
