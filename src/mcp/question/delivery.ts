/** What becomes of the response to one request. */
export interface Delivery {
  /** True once the transport has taken the response, on a stream that was there; false if it never does. */
  taken: Promise<boolean>;
  /** False while the transport knows that no one listens on the stream of this request. */
  isHeard(): boolean;
}
