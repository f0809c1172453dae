/** `Object.keys` with the keys' type, for records without extra keys. */
export const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T & string)[]

/** The named properties of an object. */
export const pick = <T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Pick<T, Key> =>
  Object.fromEntries(keys.filter((key) => key in from).map((key) => [key, from[key]])) as Pick<T, Key>

export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): { [K in Key]: Value } {
  // The compiler does not keep the keys of `fromEntries`.
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as { [K in Key]: Value }
}

/** Asserts that a value, such as a list's element, exists. */
export function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value that is always there is missing')
  return value
}

/** `1 class`, `2 classes`. */
export const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`

/** A list in parts of at most `size`. */
export const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) => items.slice(part * size, (part + 1) * size))
