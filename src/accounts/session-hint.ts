/**
 * Beside the session's own cookie, which no script can read, stands one that says only that there is a session. It
 * proves nothing and opens nothing: with it a page asks for a member's things in the same round as for the member,
 * without it a visitor's page does not ask at all. Under the same name the device keeps what whoever is signed in wants to find
 * without a connection; it names nobody, and is forgotten when somebody else is signed in, or nobody.
 */
export const SIGNED_IN = 'signed-in'

/** What that cookie is called; over HTTPS bound to this very host, like the session's own. */
export const signedInCookie = (isSecure: boolean) => (isSecure ? `__Host-${SIGNED_IN}` : SIGNED_IN)

/**
 * Runs in a page before it is painted: where that cookie is present, the document gets a class of the same name, so that
 * styles can show what suits a member until the session is known.
 */
export const MARK_SIGNED_IN = `/(^|; )(__Host-)?${SIGNED_IN}=yes/.test(document.cookie)&&document.documentElement.classList.add('${SIGNED_IN}')`

const SESSION_DAYS = 30
/** How long a session lasts, and both cookies with it. */
export const SESSION_SECONDS = SESSION_DAYS * 86_400
