import { studio } from '../../studio.ts'

const { coolingOffDays } = studio.policies

/** What a member asks for who wants to come before the time to cancel a purchase is over. */
export const REQUEST = `I ask you to begin within the ${coolingOffDays} days in which I can cancel my purchase. If I cancel then, I pay for the classes I have taken by that time.`

/** Why a tick is taken back. */
export const NOT_NOTED = 'This could not be noted. Please try again, or leave it out.'
