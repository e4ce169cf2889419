// The filters above the history: who, result, gate and time.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { openingClasses } from '@callgate/contract/call/openingClass'
import { Menu, type OptionsFilter, Select } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../client/reading.tsx'
import { useSettled } from '../clock.ts'
import type { Reader } from '../gates/gateWords.ts'
import { Button } from '../kit/Button.tsx'
import { icons } from '../kit/icons.tsx'
import { useWords } from '../words/words.tsx'
import { GateFilter, TimeFilter } from './FilterParts.tsx'
import { type By, type Filters, isFiltered, noFilters } from './filters.ts'
import { sayName } from './historyWords.ts'

interface Option {
  readonly value: string
  readonly label: string
}

const optionOf = ({ id, kind }: By) => `${kind} ${id}`

function byOf(value: string | null): By | undefined {
  const [kind, id] = (value ?? '').split(' ')
  return id === undefined ? undefined : { kind: kind as By['kind'], id }
}

interface WhoProps {
  readonly by: By | undefined
  readonly change: (by: By | undefined) => void
  /** The shown presses, which name users, even deleted ones. */
  readonly records: readonly OpeningRecord[]
  readonly reader: Reader
  /** Nobody else can be chosen. */
  readonly only?: 'member'
}

/**
 * The people who can be chosen: members and keys, and the users who have pressed. Each name is listed once. Members and keys are
 * read when somebody opens the list: `isOpen`.
 */
function useWho(
  search: string,
  isOpen: boolean,
  { by, only, records }: Pick<WhoProps, 'by' | 'only' | 'records'>,
): Readonly<Record<By['kind'], ReadonlyMap<string, Option>>> {
  const words = useWords()
  const members = useRead(
    'listMemberViews',
    { query: { search: search || undefined, limit: 20 } },
    { isWanted: isOpen },
  )
  const isOfKeys = only === undefined && (isOpen || by?.kind === 'key')
  const keys = useRead('listApiKeys', {}, { isWanted: isOfKeys })
  const chosen = useRead(
    'getMember',
    { params: { memberId: by?.id ?? '' } },
    { isWanted: by?.kind === 'member' },
  )
  const options: Record<By['kind'], Map<string, Option>> = {
    member: new Map(),
    key: new Map(),
    user: new Map(),
  }
  const put = (by: By, label: string) => options[by.kind].set(by.id, { value: optionOf(by), label })
  for (const record of records)
    if (record.by.id !== null) put({ kind: record.by.kind, id: record.by.id }, sayName(record, words))
  for (const { id, name } of members.value?.members ?? []) put({ kind: 'member', id }, name)
  for (const { id, name } of keys.value?.keys ?? []) put({ kind: 'key', id }, name)
  if (by?.kind === 'member' && chosen.value) put(by, chosen.value.member.name)
  // The name of a deleted person is unknown.
  else if (by && !options[by.kind].has(by.id)) put(by, by.id)
  return options
}

/** Typing counts as finished after this time, in milliseconds. */
const settlesAfterMs = 250

/** Without case and accents, like the API's search for names. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The options whose names contain the typed text, in their groups. */
const withNames: OptionsFilter = ({ options, search }) =>
  options.map(option =>
    'group' in option
      ? { ...option, items: option.items.filter(({ label }) => plain(label).includes(plain(search.trim()))) }
      : option,
  )

export function WhoFilter(props: WhoProps) {
  const { by, change, only, reader } = props
  const says = reader.words.history
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const options = useWho(useSettled(search, settlesAfterMs), isOpen, props)
  const label = only === undefined ? says.who : says.member
  const data = (['member', 'key', 'user'] as const)
    .filter(kind => options[kind].size > 0)
    .map(kind => ({ group: says.kinds[kind], items: [...options[kind].values()] }))
  return (
    <Select
      className="filter-who"
      aria-label={label}
      placeholder={label}
      leftSection={<icons.find size={18} />}
      searchable
      clearable
      limit={40}
      filter={withNames}
      data={data}
      value={by ? optionOf(by) : null}
      onChange={value => change(byOf(value))}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={says.whoNone}
      clearButtonProps={{ 'aria-label': says.clear }}
      maxDropdownHeight={320}
    />
  )
}

function ResultFilter({
  change,
  filters,
  reader,
}: {
  readonly change: (change: Partial<Filters>) => void
  readonly filters: Filters
  readonly reader: Reader
}) {
  const { history: says, openings } = reader.words
  const { classes } = filters
  const isOn = classes.length > 0
  const named = classes.map(kind => openings.classes[kind])
  const shown = named
    .map((name, place) => (place === 0 ? name : name.toLocaleLowerCase(reader.words.locale)))
    .join(', ')
  return (
    <span className={isOn ? 'filter-results filter-on' : 'filter-results'}>
      <Menu closeOnItemClick={false} position="bottom-start" width={240}>
        <Menu.Target>
          <button
            type="button"
            className="filter-button"
            aria-label={`${says.results}: ${shown || says.allResults}`}
          >
            <span className="filter-words">{isOn ? shown : says.allResults}</span>
            {!isOn && <icons.selector size={16} />}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {openingClasses.map(kind => {
            const isChosen = classes.includes(kind)
            return (
              <Menu.CheckboxItem
                key={kind}
                checked={isChosen}
                onChange={() =>
                  change({
                    classes: openingClasses.filter(other =>
                      other === kind ? !isChosen : classes.includes(other),
                    ),
                  })
                }
              >
                {openings.classes[kind]}
              </Menu.CheckboxItem>
            )
          })}
        </Menu.Dropdown>
      </Menu>
      {isOn && (
        <button
          type="button"
          className="filter-clear"
          aria-label={says.anyResult}
          onClick={() => change({ classes: [] })}
        >
          <icons.cross size={16} />
        </button>
      )}
    </span>
  )
}

export function HistoryFilters(props: {
  readonly filters: Filters
  readonly change: (change: Partial<Filters>) => void
  readonly records: readonly OpeningRecord[]
  readonly reader: Reader
}) {
  const { change, filters, reader, records } = props
  const says = reader.words.history
  // On a phone only the results show, until somebody wants the others or has chosen one of them.
  const [isWhole, setWhole] = useState(isFiltered({ ...filters, classes: [] }))
  return (
    <div className={isWhole ? 'filters' : 'filters filters-few'}>
      <WhoFilter by={filters.by} change={by => change({ by })} records={records} reader={reader} />
      <ResultFilter {...props} />
      {!isWhole && (
        <span className="filters-more">
          <Button onClick={() => setWhole(true)}>{says.moreFilters}</Button>
        </span>
      )}
      <GateFilter {...props} />
      <TimeFilter {...props} />
      {isFiltered(filters) && (
        <button type="button" className="link filter-none" onClick={() => change(noFilters)}>
          {says.clear}
        </button>
      )}
    </div>
  )
}
