import { createContext } from 'react'

/** When the page was drawn by the server, in milliseconds since 1970, until the browser has taken it over. */
export const RenderedAt = createContext<number | undefined>(undefined)
