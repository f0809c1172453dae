/** Something that whoever runs the site can mend. Its message says what is wrong and what to do, and is all that is shown. */
export class PlainFault extends Error {
  override readonly name: string = 'PlainFault'
}
