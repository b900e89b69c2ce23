export interface BatchesTable {
  token: string
  run_no: number
  /** Null: its submission was begun, and nothing is known of its end. */
  provider_id: string | null
  state: 'begun' | 'submitted' | 'ended'
  created_at: string
  ended_at: string | null
}

export interface BatchItemsTable {
  run_no: number
  /** Position of the sample and number of the attempt. */
  item: string
  token: string
}
