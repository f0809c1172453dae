// Writes .br and .gz next to every text file of a folder: node scripts/compress.mjs build/client
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const TEXT = /\.(js|mjs|css|svg|json|map|webmanifest|ico|data)$/

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder to compress: node scripts/compress.mjs build/client')

const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const files = entries
  .filter((entry) => entry.isFile() && TEXT.test(entry.name))
  .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))

await Promise.all(
  files.map(async (file) => {
    const text = await readFile(file)
    const [br, gz] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text, { level: 9 })])
    // A tiny file grows: then the original is the smallest answer.
    if (br.length < text.length) await writeFile(`${file}.br`, br)
    if (gz.length < text.length) await writeFile(`${file}.gz`, gz)
  }),
)

console.log(`Compressed ${files.length} files.`)
