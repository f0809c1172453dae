/** Something that whoever runs the site can mend. Its message says what is wrong and what to do, and is all that is shown. */
export class PlainFault extends Error {
  override readonly name: string = 'PlainFault'
}

/** What the operating system calls a failure, such as `ENOENT`; undefined for every other error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
