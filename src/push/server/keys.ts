import { createECDH, hkdfSync } from 'node:crypto'

/** The site's VAPID keys (RFC 8292), base64url: push services know by them who sends. */
export type PushKeys = { publicKey: string; privateKey: string }

/**
 * Derives the keys from the secret that signs cookies. A subscription hangs on a session, and both end when the secret
 * is changed, so keys of their own would only be one more thing to keep.
 */
export function pushKeys(sessionSecret: string): PushKeys {
  const curve = createECDH('prime256v1')
  // A private key is a number below the curve's order: the first one that is.
  for (let count = 0; ; count++) {
    try {
      curve.setPrivateKey(Buffer.from(hkdfSync('sha256', sessionSecret, '', `web push ${count}`, 32)))
      break
    } catch {}
  }
  return { publicKey: curve.getPublicKey('base64url'), privateKey: curve.getPrivateKey('base64url').padStart(43, 'A') }
}
