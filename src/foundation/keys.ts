/** The names of an object's own properties, with the type that says which they are. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[]
