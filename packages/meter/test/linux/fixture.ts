import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { nodeFiles, type SysFiles } from '../../src/linux/sysfs.js'

/** A made-up sysfs with a procfs in it, on the disk. */
export interface Fixture {
  readonly root: string
  readonly procRoot: string
  write(path: string, text: string | number): void
  writeAll(files: Readonly<Record<string, string | number>>): void
  link(path: string, target: string): void
  remove(path: string): void
  [Symbol.dispose](): void
}

export function createFixture(files: Readonly<Record<string, string | number>> = {}): Fixture {
  const root = mkdtempSync(join(tmpdir(), 'sysfs-'))
  const write = (path: string, text: string | number): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${text}\n`)
  }
  const fixture: Fixture = {
    root,
    procRoot: join(root, 'proc'),
    write,
    writeAll(more) {
      for (const [path, text] of Object.entries(more)) write(path, text)
    },
    link(path, target) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      symlinkSync(target, join(root, path))
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  }
  fixture.writeAll({ 'proc/sys/kernel/osrelease': '6.12.0-generic', ...files })
  return fixture
}

/** The real file system, but opening and reading the paths that match fails with `code`. */
export function failing(pattern: RegExp, code = 'EACCES'): SysFiles {
  const check = (path: string): void => {
    if (pattern.test(path)) throw Object.assign(new Error(`${code}: ${path}`), { code })
  }
  return {
    ...nodeFiles,
    readFile(path) {
      check(path)
      return nodeFiles.readFile(path)
    },
    open(path) {
      check(path)
      return nodeFiles.open(path)
    },
  }
}

/** Remembers every path that is read, and how often; opening alone does not count. */
export function recording(): { readonly files: SysFiles; readonly read: string[] } {
  const read: string[] = []
  const files: SysFiles = {
    ...nodeFiles,
    readFile(path) {
      read.push(path)
      return nodeFiles.readFile(path)
    },
    open(path) {
      const file = nodeFiles.open(path)
      return {
        close: () => file.close(),
        read() {
          read.push(path)
          return file.read()
        },
      }
    },
  }
  return { files, read }
}

/** A clock that stands until it is moved, seconds. */
export function createClock(): { now(): number; advance(s: number): void } {
  let timeS = 100
  return {
    now: () => timeS,
    advance(s) {
      timeS += s
    },
  }
}

const compiled = new Map<string, string>()
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Compiles a C file of the tests, once for the same flags, and gives a copy, which has variables of its own. */
export function compile(source: URL, flags: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'lib-'))
  const key = [source.href, ...flags].join(' ')
  const original = compiled.get(key) ?? join(folder, 'original.so')
  if (!compiled.has(key)) {
    execFileSync('cc', ['-shared', '-fPIC', ...flags, '-o', original, fileURLToPath(source)])
    compiled.set(key, original)
  }
  const path = join(folder, 'libfake.so')
  copyFileSync(original, path)
  folders.push(folder)
  return path
}
