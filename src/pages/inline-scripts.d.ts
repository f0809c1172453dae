/** A script as text: see scripts/lib/inline-scripts.ts. */
declare module '*?script' {
  const text: string
  export default text
}
