import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis } from 'recharts'

const HEIGHT = 240
const WORDS = { fontSize: 13, fill: 'currentColor' }

/** Bars with their scale, in the site's colours. Decorative: a table has the same numbers. */
export default function Bars({ bars, unit }: { bars: readonly { name: string; value: number }[]; unit?: '£' }) {
  return (
    <div className="overflow-hidden text-ink-mute">
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={[...bars]} margin={{ top: 8, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} className="text-line" stroke="currentColor" />
          <XAxis dataKey="name" tickLine={false} axisLine={false} tick={WORDS} interval="preserveStartEnd" />
          <YAxis
            width={56}
            tickLine={false}
            axisLine={false}
            tick={WORDS}
            allowDecimals={false}
            tickFormatter={(value: number) => `${unit ?? ''}${value.toLocaleString('en-GB')}`}
          />
          <Bar
            dataKey="value"
            className="text-sage"
            fill="currentColor"
            radius={[6, 6, 0, 0]}
            maxBarSize={44}
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
