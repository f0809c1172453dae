/** A problem that the operator can fix. Only its message is printed: the problem and what to do. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError'
}

/** The error code of the operating system, such as `ENOENT`; undefined for other errors. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
