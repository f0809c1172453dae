import searchIcon from '@lucide/icons/icons/search'
import { useCombobox } from 'downshift'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

/** Typing pauses this long before a search: short, because a client is waiting at the desk. */
const TYPING_MS = 120

/**
 * A combobox whose list is always open. Enter before the results have arrived chooses the result if there is only one.
 *
 * @param found the results of `search`; undefined while they load
 * @param onSearch gets the text, trimmed
 */
export function SearchList<Row>({
  label,
  search,
  found,
  keyOf,
  nameOf,
  onSearch,
  onChoose,
  children,
}: {
  label: string
  search: string
  found: readonly Row[] | undefined
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  onSearch: (words: string) => void
  onChoose: (row: Row) => void
  children: (row: Row) => ReactNode
}) {
  const [typed, setTyped] = useState(search)
  // While other text is searched for, the previous results stay visible, but Enter waits for the new ones.
  const isKnown = found !== undefined && typed.trim() === search
  const [isEntered, setEntered] = useState(false)
  useEffect(() => {
    if (!isEntered || !isKnown) return
    setEntered(false)
    const [only, another] = found
    if (only !== undefined && another === undefined) onChoose(only)
  })
  useEffect(() => {
    if (typed.trim() === search) return
    const timer = setTimeout(() => onSearch(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  })
  const shown = useLast(found) ?? []
  const { getInputProps, getMenuProps, getItemProps, highlightedIndex } = useCombobox<Row>({
    items: [...shown],
    itemToString: (row) => (row ? nameOf(row) : ''),
    itemToKey: (row) => (row ? keyOf(row) : ''),
    isOpen: true,
    inputValue: typed,
    selectedItem: null,
    defaultHighlightedIndex: typed.trim() ? 0 : -1,
    stateReducer: (state, { type, changes }) =>
      type === useCombobox.stateChangeTypes.InputKeyDownEnter && !isKnown ? state : changes,
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onChoose(selectedItem),
  })
  return (
    <>
      <div className="relative">
        <Icon
          of={searchIcon}
          size={18}
          className="pointer-events-none absolute top-1/2 left-4 -translate-y-1/2 text-ink-mute"
        />
        <input
          {...getInputProps({
            'aria-label': label,
            onChange: (event) => {
              setTyped(event.currentTarget.value)
              setEntered(false)
            },
            onKeyDown: (event) => {
              if (event.key === 'Enter' && !isKnown) setEntered(true)
            },
          })}
          data-autofocus
          // A combobox is a text field: a search field may not have that role.
          type="text"
          inputMode="search"
          placeholder={label}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          enterKeyHint="go"
          className="input min-h-12 py-2 pl-11"
        />
      </div>
      <ul {...getMenuProps({ 'aria-label': label })} className="mt-4 border-t border-line empty:border-0">
        {shown.map((row, index) => (
          <li
            key={keyOf(row)}
            {...getItemProps({ item: row, index })}
            className={`flex min-h-14 cursor-pointer items-center border-b border-line px-2 py-2 ${index === highlightedIndex ? 'bg-linen' : ''}`}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </>
  )
}

function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  useEffect(() => {
    if (value !== undefined) setLast(value)
  }, [value])
  return value ?? last
}
