/** Passwords follow the specification exactly: six characters. A meter advises, nothing more refuses. */
export const PASSWORD_MINIMUM = 6
