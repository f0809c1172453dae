import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inProject } from './project.mjs'

/** Words that this code base once used for everything, also inside identifiers. STYLE.md has better ones. */
const UNWANTED = /\b(whoever|anew|begun|hears of|(is|are|was|were|people) told|untold)\b/i
/** @param {string} line `peopleTold` is `people Told` */
const inWords = (line) => line.replace(/([a-z])([A-Z])/g, '$1 $2')
const CHECKED = ['src', 'e2e', 'lab', 'scripts', 'stripe-sandbox', 'twilio-sandbox', 'docs', 'README.md']

/** @returns {string[]} the lines with an unwanted word, as `file:line: text` */
export const unwantedWords = () => linesOf(/\.(tsx?|mjs|css|mdx?)$/, (line) => UNWANTED.test(inWords(line)))

/** Biome wraps code and leaves comments. @returns {string[]} comment lines of more than 120 characters */
export const longComments = () =>
  linesOf(/\.(tsx?|mjs|css)$/, (line) => line.length > 120 && /^\s*(\/\/|\/?\*)/.test(line))

function linesOf(kind, isWrong) {
  const files = execFileSync('git', ['ls-files', '-z', ...CHECKED], { cwd: inProject(), encoding: 'utf8' }).split('\0')
  return files
    .filter((file) => kind.test(file) && !file.endsWith('lib/wording.mjs'))
    .flatMap((file) =>
      readFileSync(inProject(file), 'utf8')
        .split('\n')
        .flatMap((line, i) => (isWrong(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    )
}
