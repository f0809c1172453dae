declare module 'virtual:password-dictionary' {
  /** Words separated by blanks, the likeliest first. */
  const texts: { passwords: string; diceware: string }
  export default texts
}
