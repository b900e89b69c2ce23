/** How an edit of a workbook is asked for, so that it can run in the sandbox with Python's standard library alone. */
export const spreadsheetForm =
  'Write a Python function edit(sheets) that does this and returns sheets. sheets is a dict from the name of each sheet to a dict from the address of each cell that is not empty, such as "B2", to its value: ' +
  'a number, text, True or False, or a date or time of the datetime module. Write values, not formulas. The function is also run on other workbooks of the same form with other data and other numbers of rows. ' +
  'Use the standard library only. Answer with the function in one fenced block of Python.'
