declare module 'virtual:password-dictionary' {
  /** Words with a blank between them, the likeliest first. */
  const texts: { passwords: string; diceware: string }
  export default texts
}
