/** What the operating system calls a failure, such as `ENOENT`; undefined for every other error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
