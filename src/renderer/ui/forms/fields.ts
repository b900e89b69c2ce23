/** Props of a text input or native select that shows and sets one text. */
export const textField = (value: string, set: (text: string) => void) => ({
  value,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => set(currentTarget.value),
})

/** Props of a checkbox or switch that shows and sets one choice. */
export const checkField = (checked: boolean, set: (isChecked: boolean) => void) => ({
  checked,
  onChange: ({ currentTarget }: { readonly currentTarget: { readonly checked: boolean } }) => set(currentTarget.checked),
})
