import * as choices from './choices.tsx'
import { bind } from './form-fields.tsx'
import * as time from './time-field.tsx'

// In its own file, because the login form needs none of these.
export const TimeField = bind(time.TimeField)
export const SelectField = bind(choices.SelectField)
export const RadioCards = bind(choices.RadioCards)
export const Tick = bind(choices.Tick)
