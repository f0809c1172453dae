/** What other parts and the assembly may call of schedule. */
export { editClass } from './change-class.ts'
export { emailCancellations, forgetCancellations } from './studio-cancellations.ts'
