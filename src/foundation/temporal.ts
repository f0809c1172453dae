/** Loads Temporal where the browser does not have it yet. Member pages await this before they draw. */
export async function temporalReady(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
