/** Loads Temporal if the browser does not have it. Member pages await this before rendering. */
export async function temporalReady(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
