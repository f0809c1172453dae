/** Where "now" comes from. Rules take an instant as an argument; only the edges ask a clock. */
export type Clock = { now(): Temporal.Instant }

/** The machine's clock, in whole milliseconds: what the database keeps and the wire shows is then the same. */
export const systemClock: Clock = { now: () => Temporal.Now.instant().round('millisecond') }
