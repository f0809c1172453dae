import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Below this a compressed answer saves no packet. Bytes. */
const WORTH_IT = 1024

/**
 * Compresses answers of the API for whoever takes it. Short ones stay as they are, and with them every answer that holds a
 * secret (the address of a calendar, a payment's): how well something compresses tells nothing about those. What is
 * compressed already, pages and files, is left alone; a compressed request is not unpacked.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, { threshold: WORTH_IT, encodings: ['br', 'gzip'], globalDecompression: false })
}
