/**
 * The row of a statement that answers exactly one, such as an insert of one row with `returning`.
 *
 * @throws when there is none, or more: a fault of the program, not a rule that says no
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`one row was expected, ${rows.length} came`)
  return row
}
