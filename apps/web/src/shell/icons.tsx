const shape = (path: string, filled: boolean) => () => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
    <path
      d={path}
      fill={filled ? 'currentColor' : 'none'}
      stroke={filled ? 'none' : 'currentColor'}
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

export const PlayIcon = shape('M4.5 2.5v11l9-5.5z', true)
export const PauseIcon = shape('M4 3h3v10H4zM9 3h3v10H9z', true)
export const StepIcon = shape('M3 2.5v11l7-5.5zM11 3h2.2v10H11z', true)
export const RestartIcon = shape('M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3', false)
export const SunIcon = shape(
  'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  false,
)
export const MoonIcon = shape('M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z', false)
export const CheckIcon = shape('M3 8.5l3.2 3.2L13 4.8', false)
export const AlertIcon = shape('M8 2.2L14.5 13.5h-13zM8 6.5v3M8 11.5v.1', false)
export const DotIcon = shape('M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7', true)
export const LinkIcon = shape('M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.5 4.5l-1 1M9 11.5l-1 1a3 3 0 0 1-4.5-4.5l1-1', false)
