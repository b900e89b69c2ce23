import { type ComponentProps, useState } from 'react'

/**
 * The element of every Mantine button. The browser takes the focus from a button that becomes disabled, so one that has it is
 * disabled for assistive technology and for clicks, and natively only after the focus has moved.
 */
export function KeptButton({ disabled = false, type = 'button', onClick, onFocus, onBlur, ...props }: ComponentProps<'button'>) {
  const [focused, setFocused] = useState(false)
  const kept = disabled && focused
  return (
    <button
      {...props}
      // oxlint-disable-next-line react/button-has-type -- "button" unless the caller says otherwise
      type={type}
      disabled={disabled && !kept}
      {...(kept && { 'aria-disabled': true })}
      onFocus={event => {
        setFocused(true)
        onFocus?.(event)
      }}
      onBlur={event => {
        setFocused(false)
        onBlur?.(event)
      }}
      onClick={event => (kept ? event.preventDefault() : onClick?.(event))}
    />
  )
}
