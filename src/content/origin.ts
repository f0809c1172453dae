import { STAND_IN } from '../site-map.ts'

/**
 * Where the site lives, without a slash at the end: for what must name it in full (canonical addresses, share
 * pictures, structured data). Pages are written with the stand-in, the server fills in APP_URL and says it on `<html>`.
 */
export const ORIGIN: string = globalThis.document?.documentElement.dataset.origin ?? STAND_IN
