/** The delivery of the response to one request. */
export interface Delivery {
  /** True when the transport has taken the response on an existing stream; false if it never does. */
  isTaken: Promise<boolean>;
  /** False while the stream of this request is closed. */
  isConnected(): boolean;
}
