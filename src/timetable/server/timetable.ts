/** What other parts may call of the timetable. */

export { markClassesDeleted, reservePlaces, restoreClasses, shiftClasses, writeEdit } from './change-classes.ts'
export {
  type ClosedTime,
  classesToClose,
  closuresIn,
  type Days,
  deleteClosure,
  lockDays,
  recordClosure,
  reopenClosure,
} from './closures.ts'
export { createClasses, recordCreatedClasses, refuseClosedDays, refuseOverlaps } from './create-classes.ts'
export {
  classesBetween,
  classesForUpdate,
  classForUpdate,
  classForUpdateEvenDeleted,
  classIdsBetween,
  classIdsWithReservedPlaces,
  factsOf,
  findClass,
  similarClasses,
  similarClassesForUpdate,
  toStudioClass,
} from './queries.ts'
export {
  copiesOfWeek,
  copyWeek,
  extendSeries,
  lengthenSeries,
  shiftSeries,
  shortenSeries,
} from './repeat-classes.ts'
