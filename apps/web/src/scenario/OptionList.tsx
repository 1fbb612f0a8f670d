import { useState } from 'react'
import { reachable } from '../shell/reachable.ts'
import { searchOptions } from './options.ts'

/** Help for the options of a scenario: those of the line being edited, or those that a search finds. */
export const OptionList = ({ about }: { about: string }) => {
  const [words, setWords] = useState<string | undefined>(undefined)
  const wanted = words ?? about
  const found = searchOptions(wanted)
  return (
    <section className="panel options" aria-label="Help">
      <h2>
        <b>Options</b>
        <span className="end">{found.length} found</span>
      </h2>
      <input
        type="search"
        aria-label="Search the options"
        placeholder="search, or put the cursor on a line"
        value={words ?? ''}
        onChange={(event) => setWords(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      />
      <ul ref={reachable} aria-label="Options found">
        {found.slice(0, 60).map((option) => (
          <li key={option.path}>
            <code>{option.path}</code>
            <p>{option.sentence}</p>
            <small>{option.facts}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
