import { useState } from 'react'

const thanksMilliseconds = 2000

/** A button that puts an address on the clipboard; where that is forbidden it shows the address, selected. */
export const CopyLink = ({
  label,
  make,
  disabled = false,
}: {
  label: string
  /** Makes the address, relative to this page. Rejects with a sentence for the user. */
  make: () => Promise<string>
  disabled?: boolean
}) => {
  const [copied, setCopied] = useState(false)
  const [shown, setShown] = useState<string | undefined>(undefined)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const copy = async () => {
    setFault(undefined)
    setShown(undefined)
    try {
      const address = new URL(await make(), location.href).href
      const allowed = await Promise.resolve(navigator.clipboard?.writeText(address)).then(
        () => navigator.clipboard !== undefined,
        () => false,
      )
      if (!allowed) setShown(address)
      setCopied(allowed)
      setTimeout(() => setCopied(false), thanksMilliseconds)
    } catch (cause) {
      setFault(cause instanceof Error ? cause.message : String(cause))
    }
  }
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => void copy()}>
        <span aria-live="polite">{copied ? 'Link copied' : label}</span>
      </button>
      {shown !== undefined && (
        <input
          className="copied-link"
          aria-label="The link, to be copied"
          readOnly
          value={shown}
          ref={(field) => field?.select()}
        />
      )}
      {fault !== undefined && (
        <p className="refusal wide" role="alert">
          {fault}
        </p>
      )}
    </>
  )
}
