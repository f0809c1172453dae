import upload from '@lucide/icons/icons/upload'
import { type ComponentProps, useState } from 'react'
import { Around, type Told, useTold } from './field.tsx'
import { Icon } from './icon.tsx'

/** A file to choose or to drop. The browser's own field lies over ours unseen, since its words and its button are in the browser's language. */
export function FileField({ label, error, help, onChange, ...input }: Omit<ComponentProps<'input'>, 'type'> & Told) {
  const [name, setName] = useState<string>()
  const told = { label, error, help }
  const { id, control } = useTold(told)
  return (
    <Around id={id} told={told}>
      <div
        className={`input relative flex items-center gap-3 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-sage-deep ${error ? 'border-err' : ''}`}
      >
        <input
          {...input}
          {...control}
          type="file"
          className="absolute inset-0 w-full cursor-pointer opacity-0"
          onChange={(event) => {
            setName(event.target.files?.[0]?.name)
            onChange?.(event)
          }}
        />
        <Icon of={upload} size={18} strokeWidth={1.5} aria-hidden className="flex-none" />
        <span aria-hidden className="link flex-none">
          {name ? 'Choose another' : 'Choose a file'}
        </span>
        <span className="min-w-0 truncate text-ink-mute">{name ?? 'or drop it here'}</span>
      </div>
    </Around>
  )
}
