import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../../src/contract/client.ts'
import { ExecutionSettings, QuoteRequest } from '../../../../src/contract/quotes/quotes.schemas.ts'
import { emptyForm, formOfQuote, type QuoteForm, requestOfForm } from '../../../../src/renderer/quotes/quote-form.ts'
import { refusedFields } from '../../../../src/renderer/quotes/refused-fields.ts'
import { quoteFixture } from './fixtures.ts'

const filled: QuoteForm = { ...emptyForm, model: 'managed:assay/oracle-75', profileIds: ['words@1:zero-shot'] }

function errorsOf(form: QuoteForm) {
  const outcome = requestOfForm(form)
  return 'errors' in outcome ? outcome.errors : {}
}

describe('the form of a quote', () => {
  test('makes the request that the contract takes', () => {
    const outcome = requestOfForm(filled)
    if ('errors' in outcome) throw new Error(JSON.stringify(outcome.errors))
    expect(QuoteRequest.parse(outcome.request)).toEqual({
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      selection: { profile_ids: ['words@1:zero-shot'] },
      coverage: { mode: 'sample', sample_count: 200, seed: 1 },
      max_charge_microusd: '1000000',
      execution: ExecutionSettings.parse({}),
    })
  })

  test('accepts a connection, and every task', () => {
    const id = '01900000-0000-7000-8000-00000000000c'
    const outcome = requestOfForm({ ...filled, model: `connection:${id}`, mode: 'full', sampleCount: null, seed: null })
    expect(outcome).toMatchObject({ request: { model: { kind: 'connection', connection_id: id }, coverage: { mode: 'full' } } })
  })

  test('refuses numbers below their bound with the field’s name and the value', () => {
    expect(errorsOf({ ...filled, sampleCount: -7, seed: null })).toEqual({
      sampleCount: 'Tasks per profile: -7 is below 1. Give 1 or more.',
      seed: 'Seed: give a whole number of 0 or more.',
    })
  })

  test('says what is missing, field by field', () => {
    expect(Object.keys(errorsOf(emptyForm))).toEqual(['model', 'profileIds'])
    expect(Object.keys(errorsOf({ ...filled, sampleCount: null, seed: null }))).toEqual(['sampleCount', 'seed'])
    expect(Object.keys(errorsOf({ ...filled, capDollars: 'a lot' }))).toEqual(['capDollars'])
    const execution = { ...filled.execution, epochs: null, max_attempts: null }
    expect(Object.keys(errorsOf({ ...filled, execution }))).toEqual(['execution.epochs', 'execution.max_attempts'])
    expect(errorsOf({ ...filled, model: 'managed:' })).toHaveProperty('model')
  })

  test('asks for a cap on the provider’s bill only where a provider bills by itself', () => {
    const typed = { ...filled, providerCapDollars: '0.5' }
    const connection = 'connection:01900000-0000-7000-8000-00000000000c'
    expect(requestOfForm(typed)).toMatchObject({ request: { execution: { max_provider_billed_microusd: null } } })
    expect(requestOfForm({ ...typed, model: connection })).toMatchObject({
      request: { execution: { max_provider_billed_microusd: '500000' } },
    })
    expect(errorsOf({ ...typed, model: connection, providerCapDollars: 'some' })).toHaveProperty('providerCapDollars')
  })

  test('is kept by its quote: changing or repeating it starts from the same selection', () => {
    const quote = quoteFixture()
    const outcome = requestOfForm(formOfQuote(quote))
    expect(outcome).toEqual({
      request: {
        model: { kind: 'managed', route_id: 'assay/oracle-75' },
        selection: { profile_ids: ['words@1:zero-shot'] },
        coverage: { mode: 'sample', sample_count: 200, seed: 7 },
        max_charge_microusd: '1500000',
        execution: quote.execution,
      },
    })
  })

  test('sorts a refusal to the fields that it is about', () => {
    const refusal = new ServiceError(422, 'validation_error', 'no', null, [
      { loc: ['body', 'coverage', 'sample_count'], msg: 'Too big', type: 'too_big' },
      { loc: ['body', 'selection', 'profile_ids', 0], msg: 'Unknown profile', type: 'value_error' },
      { loc: ['body', 'execution', 'cache'], msg: 'Not here', type: 'value_error' },
      { loc: ['body', 'something_else'], msg: 'Unknown', type: 'extra' },
    ])
    expect(refusedFields(refusal)).toEqual({ sampleCount: 'Too big', profileIds: 'Unknown profile', 'execution.cache': 'Not here' })
  })
})
