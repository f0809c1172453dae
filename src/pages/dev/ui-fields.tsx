import { RadioCards, Tick } from '#ui/choices.tsx'
import { TextArea, TextField } from '#ui/field.tsx'

const LEVELS = [
  ['beginner', 'Beginner'],
  ['intermediate', 'Intermediate'],
  ['advanced', 'Advanced'],
] as const

/** Every field: at rest, filled, with help, wrong, disabled. */
export function Fields() {
  return (
    <form noValidate className="grid gap-7 md:grid-cols-2" onSubmit={(event) => event.preventDefault()}>
      <TextField label="First name" name="empty" />
      <TextField label="Last name" name="filled" defaultValue="Hartley" />
      <TextField label="Username" name="helped" help="Or your email address." />
      <TextField label="Email address" name="optional" optional />
      <TextField label="Email" name="wrong" defaultValue="imogen at home" error="Invalid email address" />
      <TextField label="Phone number" name="disabled" defaultValue="01632 960199" disabled />
      <TextArea label="Allergies" name="area" help="Leave it empty if you know of none." />
      <TextArea label="Chronic conditions" name="wrong-area" error="Please use at most 2,000 characters" />
      <Tick label="I agree to the terms and conditions" name="tick" />
      <Tick label="I confirm that my answers are true" name="ticked" defaultChecked />
      <Tick label="I consent" name="wrong-tick" error="You must consent to data processing" />
      <Tick label="News from the studio" name="disabled-tick" disabled />
      <div className="md:col-span-2">
        <RadioCards label="Fitness level" name="level" options={LEVELS} defaultValue="beginner" />
      </div>
      <div className="md:col-span-2">
        <RadioCards label="Pilates experience" name="wrong-level" options={LEVELS} error="Please choose one" />
      </div>
    </form>
  )
}
