/**
 * A cookie that scripts can read and that only shows that there is a session, so pages know whether to fetch a member's
 * data. It grants nothing. The offline data on the device is stored under the same name.
 */
export const SIGNED_IN = 'signed-in'

/** Bound to the host over HTTPS, like the session cookie. */
export const signedInCookie = (isSecure: boolean) => (isSecure ? `__Host-${SIGNED_IN}` : SIGNED_IN)

/** Runs before the first paint: adds a class for styles to use until the session is known. */
export const MARK_SIGNED_IN = `/(^|; )(__Host-)?${SIGNED_IN}=yes/.test(document.cookie)&&document.documentElement.classList.add('${SIGNED_IN}')`

const SESSION_DAYS = 30
/** The lifetime of a session and both cookies. */
export const SESSION_SECONDS = SESSION_DAYS * 86_400
