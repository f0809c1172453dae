/** What other parts may call of the timetable. */

export { bringBackClasses, holdPlaces, markClassesDeleted, shiftClasses, writeEdit } from './change-classes.ts'
export {
  classesToClose,
  closuresIn,
  type Days,
  dropClosure,
  holdDays,
  recordClosure,
  removeClosure,
  toClosure,
} from './closures.ts'
export { askIfClosed, askIfOverlapping, createClasses, recordCreatedClasses } from './create-classes.ts'
export {
  classesAlike,
  classesAlikeForUpdate,
  classesBetween,
  classesForUpdate,
  classesWithHeldPlaces,
  classForUpdate,
  classForUpdateOnRecord,
  factsOf,
  findClass,
  toStudioClass,
} from './queries.ts'
export { copyWeek, extendSeries, shiftSeries } from './repeat-classes.ts'
