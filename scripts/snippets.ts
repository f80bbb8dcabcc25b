// Keeps the code blocks of documents equal to regions of files that are type-checked and run.
//   <!-- snippet: examples/first-measurement/main.ts#measure -->  followed by a code block
// `tsx scripts/snippets.ts` rewrites the blocks; with --check it only says which ones are stale and exits with 1.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const marker = /<!-- snippet: (\S+)#(\S+) -->\n```(\w+)\n[\s\S]*?```/g

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
const stale = documents.trim().split('\n').filter(sync)
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`Stale snippets in ${stale.join(', ')}. Run: npx tsx scripts/snippets.ts\n`)
  process.exit(1)
}

/** Returns whether the document was stale. */
function sync(path: string): boolean {
  const text = readFileSync(path, 'utf8')
  const fresh = text.replace(marker, (...match: readonly string[]) => {
    const [, file = '', name = '', language = ''] = match
    return `<!-- snippet: ${file}#${name} -->\n\`\`\`${language}\n${region(file, name)}\n\`\`\``
  })
  if (fresh === text) return false
  if (!process.argv.includes('--check')) writeFileSync(path, fresh)
  return true
}

/** The lines between `// #region NAME` and `// #endregion NAME`, without their common indent. */
function region(file: string, name: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`)
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${name}`)
  if (start < 0 || end < start) throw new Error(`No region ${name} in ${file}.`)
  const body = lines.slice(start + 1, end)
  const indents = body.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents)
  return body
    .map((line) => line.slice(indent))
    .join('\n')
    .trim()
}
