import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../operator-error.ts'

/** A backup is not made or not accepted, for a reason that the owner can act on. */
export class BackupRefused extends OperatorError {}

/** Adds a file to an archive; resolves when there is room for the next. */
export type Add = (name: string, content: Buffer) => Promise<void>

const AGE = 'age-encryption.org/v1'

/**
 * Writes a tar archive, compressed with zstd and, for a recipient, encrypted with age. It is streamed.
 *
 * @param file created, readable by its owner only
 * @param recipient an age public key, `age1…`
 * @param fill adds the contents
 * @returns the file's size in bytes
 */
export async function writeArchive(
  file: string,
  recipient: string | undefined,
  fill: (add: Add) => Promise<void>,
): Promise<number> {
  const pack = tar.pack()
  const add: Add = (name, content) =>
    new Promise((resolve, reject) => {
      const entry = pack.entry({ name, size: content.length, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      )
      entry.end(content)
    })
  const filling = fill(add).then(
    () => pack.finalize(),
    (error) => void pack.destroy(error),
  )
  await pipeline(
    pack,
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    (source: AsyncIterable<Buffer>) => encrypted(source, recipient),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  )
  await filling
  return (await stat(file)).size
}

async function* encrypted(source: AsyncIterable<Buffer>, recipient: string | undefined) {
  if (!recipient) return yield* source
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  yield* await encrypter.encrypt(ReadableStream.from(source))
}

/**
 * Reads an archive to its end, a file at a time.
 *
 * @param identities age secret keys, for an encrypted one
 * @throws BackupRefused when it is not an archive, is cut short or was changed, or no key fits
 */
export async function* readArchive(
  file: string,
  identities: readonly string[],
): AsyncGenerator<{ name: string; content: Buffer }> {
  const isEncrypted = (await beginning(file)) === AGE
  if (isEncrypted && identities.length === 0) {
    throw new BackupRefused(`${file} is encrypted. Add --identity <the file with its secret key>.`)
  }
  const extract = tar.extract()
  const reading = pipeline(
    createReadStream(file),
    (source: AsyncIterable<Buffer>) => decrypted(source, isEncrypted ? identities : []),
    createZstdDecompress(),
    extract,
  )
  // The iteration fails too, and reports it.
  reading.catch(() => {})
  try {
    for await (const entry of extract) yield { name: entry.header.name, content: await buffer(entry) }
    await reading
  } catch (error) {
    throw new BackupRefused(
      `${file} cannot be read as a backup: it is cut short, was changed, or is something else (${messageOf(error)}).`,
    )
  } finally {
    extract.destroy()
  }
}

async function* decrypted(source: AsyncIterable<Buffer>, identities: readonly string[]) {
  if (identities.length === 0) return yield* source
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  yield* await decrypter.decrypt(ReadableStream.from(source))
}

async function beginning(file: string): Promise<string> {
  const handle = await open(file, 'r').catch((error) => {
    throw new BackupRefused(`${file} cannot be opened: ${messageOf(error)}.`)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE.length), 0, AGE.length, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
