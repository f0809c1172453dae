// Minifies the scripts of every page once more and writes .br and .gz beside every text file of a folder: node scripts/compress.mjs build/client
// React Router writes neither, and compressing once at level 11 beats compressing every answer at level 4.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { minify } from 'terser'

const TEXT = /\.(js|mjs|css|svg|json|map|webmanifest|ico|data)$/

/** Not worth a second minifier, or not to be touched: charts, words, and a list of routes that is data. */
const LEFT_ALONE = /[\\/](bars|password-strength|manifest)-[\w-]+\.js$/

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder to compress: node scripts/compress.mjs build/client')

const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries
  .filter((entry) => entry.isFile() && TEXT.test(entry.name))
  .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))

await Promise.all(
  files.map(async (file) => {
    const isSqueezed = file.endsWith('.js') && !LEFT_ALONE.test(file)
    const text = isSqueezed ? await squeezed(file) : await readFile(file)
    const params = {
      [zlib.BROTLI_PARAM_QUALITY]: 11,
      [zlib.BROTLI_PARAM_SIZE_HINT]: text.length,
      // 128 kB blocks: a little smaller on our largest script than what brotli chooses.
      [zlib.BROTLI_PARAM_LGBLOCK]: 17,
    }
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(text, { params }),
      promisify(gzip)(text, { level: 9 }),
    ])
    // A tiny file grows: then the original is the smallest answer.
    if (br.length < text.length) await writeFile(`${file}.br`, br)
    if (gz.length < text.length) await writeFile(`${file}.gz`, gz)
  }),
)

/** The bundler's minifier is quick; another one after it takes 900 bytes more off what a page loads. @param {string} file */
async function squeezed(file) {
  const written = await readFile(file, 'utf8')
  const { code } = await minify(written, { module: true, ecma: 2020, compress: { passes: 3, keep_fargs: false } })
  const text = Buffer.from(code && code.length < written.length ? code : written)
  await writeFile(file, text)
  return text
}

console.log(`Compressed ${files.length} files.`)
