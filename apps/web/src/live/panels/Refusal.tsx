import { useLive } from '../context.ts'
import type { Control } from '../session.ts'

/** The reason why a command of a control was refused, at that control. */
export const Refusal = ({ control }: { control: Control }) => {
  const error = useLive((state) => state.errors[control])
  return error === undefined ? null : (
    <p className="refusal" role="alert">
      {error}
    </p>
  )
}
