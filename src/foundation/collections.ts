/** A record's keys with their own type: for records that hold what their type names and no more. */
export const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T & string)[]

/** A record of one value for each key. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueFor: (key: Key) => Value,
): { [K in Key]: Value } {
  // The compiler knows a record's keys only while it is written out.
  return Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as { [K in Key]: Value }
}

/**
 * What a list or a map holds at a place where it is known to hold something.
 *
 * @throws when it does not after all: a fault of the program
 */
export function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a value that is always there is missing')
  return value
}
