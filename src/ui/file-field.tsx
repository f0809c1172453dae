import upload from '@lucide/icons/icons/upload'
import { type ComponentProps, useState } from 'react'
import { FieldLayout, type FieldProps, useFieldAria } from './field.tsx'
import { Icon } from './icon.tsx'

/** Our own file input: the browser's is on top of it, transparent, because its label is in the browser's language. */
export function FileField({
  label,
  error,
  help,
  onChange,
  ...input
}: Omit<ComponentProps<'input'>, 'type'> & FieldProps) {
  const [name, setName] = useState<string>()
  const field = { label, error, help }
  const { id, control } = useFieldAria(field)
  return (
    <FieldLayout id={id} field={field}>
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
        <Icon of={upload} size={18} className="flex-none" />
        <span aria-hidden className="link flex-none">
          {name ? 'Choose another' : 'Choose a file'}
        </span>
        <span className="min-w-0 truncate text-ink-mute">{name ?? 'or drop it here'}</span>
      </div>
    </FieldLayout>
  )
}
